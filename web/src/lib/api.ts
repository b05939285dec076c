/** Asking the server by plain HTTP. What is refused arrives as a `Refusal` with the server's stable code. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** The server did not answer. */
export class Unreachable extends Error {}

export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { ...init, headers: { accept: "application/json", ...init.headers } });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (!response.headers.get("content-type")?.includes("json")) throw new Unreachable(`status ${response.status}`);
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  const { code = "http/error", message = response.statusText } = (body as { error?: Partial<Refusal> }).error ?? {};
  throw new Refusal(code, message, response.status);
}
