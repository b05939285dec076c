/** Scripts beside the page: the service worker, and the one that renders sounds. No other may be started. */

import { keepSheets } from "./sheets";

const SERVICE = "/sw.js";
const KEEP_AFTER_MS = 6_000; // what is kept for later does not hold up what is to be seen now
const OURS = /^\/(sw|assets\/worker-[\w-]+)\.js$/;

let policy: { createScriptURL: (url: string) => unknown } | undefined;

/** The address as the browser wants it under Trusted Types. */
export function scriptUrl(url: string): string {
  if (import.meta.env.DEV) return url;
  policy ??= window.trustedTypes?.createPolicy("bobing-worker", {
    createScriptURL: (asked: string) => {
      if (!OURS.test(asked)) throw new TypeError(`no worker of ours: ${asked}`);
      return asked;
    },
  });
  return (policy?.createScriptURL(url) ?? url) as string;
}

/** Keeps the page at hand for when the server cannot be reached, where the browser allows it (https or localhost). */
export function keepShell(): void {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(scriptUrl(SERVICE)).then(
    () => setTimeout(() => void keepSheets(), KEEP_AFTER_MS),
    (error: unknown) => console.info("no offline copy:", error),
  );
}
