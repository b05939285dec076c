/** The choice of rules that somebody makes: a sheet, and what is changed of it. The server says whether it can be played. */
import type { RulesChoice, RulesView, Words } from "../protocol";
import { post, Refusal } from "./api";
import { changesIn, endingOf, houseOf, houseTable, noHouse, withEnding, type Ending, type House, type Point } from "./house";
import { isHouse, type Table } from "./houses";
import { DEFAULT_SHEET, loadSettings, loadSheet, loadSheets, type Sheet, type SheetBrief } from "./sheets";
import { said, t } from "./texts.svelte";

const PAUSE_MS = 350;

export class RulesDraft {
  key = $state("");
  house = $state<House>(noHouse());
  sheets = $state.raw<readonly SheetBrief[]>([]);
  points = $state.raw<readonly Point[]>([]);
  sheet = $state.raw<Sheet | null>(null);
  /** What the server made of the changes. */
  checked = $state.raw<RulesView | null>(null);
  refused = $state.raw<{ path: string; words: string } | null>(null);
  /** The rule file that it was taken from. */
  file = $state("");
  /** Why the sheet could not be had. */
  trouble = $state.raw<unknown>(null);
  #timer = 0;

  readonly changed = $derived(changesIn(this.house));
  readonly ending = $derived(endingOf(this.house.changes));
  /** The tiers of the sheet, and those that a rule file adds. */
  readonly tiers = $derived.by(() => {
    const own = this.sheet?.tiers ?? [];
    const more = (this.checked?.tiers ?? []).filter((tier) => !own.some((one) => one.key === tier.key));
    return [...own, ...more.map((tier) => ({ ...tier, points: tier.points ?? 0 }))];
  });
  readonly total = $derived(this.tiers.reduce((sum, tier) => sum + (this.house.cakes[tier.key] ?? tier.cakes), 0));

  constructor(
    key: string,
    private readonly laid: Table = {},
  ) {
    this.key = key;
  }

  get failed(): boolean {
    return this.trouble !== null;
  }

  /** What the rules are called. */
  get names(): Words | undefined {
    return this.checked?.names ?? this.sheet?.names;
  }

  /** What goes to the server. */
  get choice(): RulesChoice {
    return $state.snapshot({ sheet: this.key, house: houseTable(this.house) });
  }

  async load(): Promise<void> {
    this.trouble = null;
    try {
      [this.sheets, this.points] = await Promise.all([loadSheets(), loadSettings()]);
      const known = this.sheets.find((one) => one.key === this.key || one.aliases.includes(this.key));
      this.key = known?.key ?? DEFAULT_SHEET;
      if (isHouse(this.laid)) await this.lay(this.key, this.laid);
      else this.sheet = await loadSheet(this.key);
    } catch (error) {
      this.trouble = error;
    }
  }

  /** Another sheet, with nothing changed of it but this. */
  async choose(key: string, house = noHouse()): Promise<void> {
    this.key = key;
    this.house = house;
    this.file = "";
    this.refused = this.checked = null;
    try {
      this.sheet = await loadSheet(key);
      this.check();
    } catch (error) {
      this.trouble = error;
    }
  }

  /** Rules from elsewhere take the place of what was chosen. */
  async lay(key: string, table: Table, file = ""): Promise<void> {
    const paths = new Set(this.points.flatMap((point) => point.settings.map((one) => one.path)));
    const { tiers } = await loadSheet(key);
    const cakesOf = (tier: string) => tiers.find((one) => one.key === tier)?.cakes ?? 1;
    await this.choose(key, houseOf(table, paths, cakesOf));
    this.file = file;
  }

  /** The ending, with its throws or minutes; a field that is empty just now is not sent. */
  end(how: Ending, number: number): void {
    this.house.changes = withEnding(this.house.changes, how, number);
    if (number >= 1) return this.check();
    clearTimeout(this.#timer);
    this.refused = { path: "ending", words: t("setup.end_number") };
  }

  /** Asks the server, a moment after the last change, whether these rules can be played. */
  readonly check = (): void => {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(async () => {
      try {
        this.checked = await post<RulesView>("/rules/check", this.choice);
        this.refused = null;
      } catch (error) {
        this.refused = error instanceof Refusal ? { path: error.path, words: error.words ? said(error.words) : error.message } : null;
      }
    }, PAUSE_MS);
  };
}
