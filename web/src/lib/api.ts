/** Asking the server by plain HTTP. What is refused arrives as a `Refusal` with the server's stable code. */
import type { Said } from "./texts.svelte";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    /** What to do, in all languages. */
    readonly words: Said | null = null,
    /** The key of a rule file that it is about, such as `chase.tiers`. */
    readonly path = "",
  ) {
    super(message);
  }
}

/** Whether a sheet was asked for that there is not. */
export const isUnknownSheet = (error: unknown) => error instanceof Refusal && ["rules/unknown_sheet", "rules/not_a_sheet"].includes(error.code);

/** Whether too much was asked at once; it can be asked again in a moment. */
export const isBusy = (error: unknown) => error instanceof Refusal && error.code === "table/slow_down";

/** The server did not answer. */
export class Unreachable extends Error {}

/** It answered that it failed; what it said before is as good as nothing said. */
export class Failed extends Unreachable {}

interface Refused {
  code: string;
  words: Said;
  detail: string;
  path?: string;
}

export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { ...init, headers: { accept: "application/json", ...init.headers } });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (!response.headers.get("content-type")?.includes("json")) throw new (response.status >= 500 ? Failed : Unreachable)(`status ${response.status}`);
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  const { code, words, detail, path: about } = body as Partial<Refused>;
  throw new Refusal(code ?? "http/error", detail ?? response.statusText, response.status, words ?? null, about);
}

/** Asks with a JSON body. */
export function post<T>(path: string, body: unknown, token?: string, more: RequestInit = {}): Promise<T> {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return ask<T>(path, { ...more, method: "POST", body: JSON.stringify(body), headers });
}
