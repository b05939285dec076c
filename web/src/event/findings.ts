/** What does not fit together at an event, in words. */
import type { FindingView } from "../event_protocol";
import { lang, t } from "$lib/texts.svelte";
import { guestName, stageName, type EventState } from "./state";

// Codes come from the server; each has its text.
const text = t as (key: string, values: Record<string, unknown>) => string;

export function findingText(state: EventState, { code, values }: FindingView): string {
  const people = Object.fromEntries(["gone", "come"].filter((key) => key in values).map((key) => [key, named(state, values[key])]));
  const format = values["format"] ? text(`desk.format_${String(values["format"])}`, {}) : "";
  return text(`desk.finding_${code}`, { ...values, ...people, stage: stageName(state, Number(values["stage"])), format });
}

function named(state: EventState, guests: unknown): string {
  const names = (guests as number[]).map((guest) => guestName(state, guest));
  return names.join(lang() === "en" ? ", " : "、") || t("desk.nobody_changed");
}
