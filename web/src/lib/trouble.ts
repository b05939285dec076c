/** Why something could not be had, in words: what the server refused, that it failed, or that it is out of reach. */
import { Failed, Refusal } from "./api";
import { said, t } from "./texts.svelte";

/** Whether the server answered, and could not do it. */
function failed(error: unknown): boolean {
  return error instanceof Failed || (error instanceof Refusal && !error.words && error.status >= 500);
}

export function whyNot(error: unknown): string {
  if (error instanceof Refusal && error.words) return said(error.words);
  return t(failed(error) ? "web.failed_text" : "web.unreachable_text");
}

/** The same in a few words. */
export function whyNotTitle(error: unknown): string {
  if (error instanceof Refusal && error.words) return t("web.broken_title");
  return t(failed(error) ? "web.failed_title" : "web.unreachable_title");
}
