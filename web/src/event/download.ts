/** Files that the server makes for whoever has a token: asked for with it, and saved under a name. */
import { Refusal, Unreachable } from "$lib/api";
import { notify } from "$lib/notices.svelte";
import { type Said } from "$lib/texts.svelte";
import { whyNot } from "$lib/trouble";

/** Posts a body and saves what comes; what is refused is told at the foot of the page. Whether it was saved. */
export async function download(path: string, token: string, body: unknown, name: string): Promise<boolean> {
  try {
    save(await fetched(path, token, body), name);
    return true;
  } catch (error) {
    notify(whyNot(error), "trouble");
    return false;
  }
}

async function fetched(path: string, token: string, body: unknown): Promise<Blob> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const answer = await fetch(`/api${path}`, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
  if (!answer) throw new Unreachable(path);
  if (answer.ok) return answer.blob();
  const refused = (await answer.json().catch(() => ({}))) as { code?: string; detail?: string; words?: Said };
  throw new Refusal(refused.code ?? "http/error", refused.detail ?? "", answer.status, refused.words ?? null);
}

function save(data: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
