/** What is told of origin and customs, how certain it is, and where it was read (text:line of the sources named). */
import type { TextKey } from "./texts.svelte";

export type Standing = "legend" | "custom" | "fact";

export interface Story {
  title: TextKey & `learn.${string}_title`;
  /** Sentences without slots; `origin_names` is filled by the page. */
  texts: readonly PlainKey[];
  note?: PlainKey;
  standing: Standing;
  places: readonly string[];
}

type PlainKey =
  | `learn.origin_${"koxinga" | "koxinga_note" | "known" | "63" | "sanhong" | "sanhong_note" | "luck" | "stakes"}`
  | `learn.origin_table_${1 | 2 | 3 | 4 | 5}`;

export const STORIES: readonly Story[] = [
  {
    title: "learn.origin_koxinga_title",
    texts: ["learn.origin_koxinga"],
    note: "learn.origin_koxinga_note",
    standing: "legend",
    places: ["000:30", "002:4", "S4 004:79"],
  },
  { title: "learn.origin_known_title", texts: ["learn.origin_known"], standing: "fact", places: ["000:28", "000:72", "002:5"] },
  { title: "learn.origin_names_title", texts: [], standing: "fact", places: ["000:6-32", "S4 004:81"] },
  { title: "learn.origin_63_title", texts: ["learn.origin_63"], standing: "legend", places: ["002:14", "003:9-13"] },
  {
    title: "learn.origin_sanhong_title",
    texts: ["learn.origin_sanhong"],
    note: "learn.origin_sanhong_note",
    standing: "legend",
    places: ["003:127-139", "S4 004:91-93"],
  },
  { title: "learn.origin_luck_title", texts: ["learn.origin_luck"], standing: "custom", places: ["003:43-49", "003:151-157"] },
  {
    title: "learn.origin_table_title",
    texts: ["learn.origin_table_1", "learn.origin_table_2", "learn.origin_table_3", "learn.origin_table_4", "learn.origin_table_5"],
    standing: "custom",
    places: ["003:59", "003:69-71", "003:149-151", "002:44", "000:65", "003:211-217"],
  },
  { title: "learn.origin_stakes_title", texts: ["learn.origin_stakes"], standing: "custom", places: ["000:30-32", "003:141-147", "S2 004:51-56"] },
];
