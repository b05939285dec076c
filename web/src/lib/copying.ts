/** Links that people copy to send them to another device. */
import { notify } from "./notices.svelte";
import { t } from "./texts.svelte";

/** Copies a link and says so; where that is not allowed, as on plain http, the link is shown for copying by hand. */
export async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    notify(t("table.copied"), "good");
  } catch {
    notify(address, "plain", 20);
  }
}
