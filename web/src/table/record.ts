/** The game record as a file. */
import type { LiveTable } from "$lib/table.svelte";
import { notify } from "$lib/notices.svelte";
import { t } from "$lib/texts.svelte";

export function save(data: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function fetchRecord(table: LiveTable): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${table.token}` };
    const answer = await fetch(`/api/tables/${table.code}/record`, { headers });
    if (!answer.ok) throw new Error(String(answer.status));
    save(await answer.blob(), `bobing-${table.code}.jsonl`);
  } catch {
    notify(t("table.record_failed"), "trouble");
  }
}
