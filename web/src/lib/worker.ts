/** Keeps the page at hand for when the server cannot be reached, where the browser allows it (https or localhost). */
export function keepShell(): void {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  const worker = "/sw.js";
  const policy = window.trustedTypes?.createPolicy("bobing-worker", {
    createScriptURL: (url: string) => {
      if (url !== worker) throw new TypeError(`no worker of ours: ${url}`);
      return url;
    },
  });
  const url = policy?.createScriptURL(worker) ?? worker;
  navigator.serviceWorker.register(url as string).catch((error: unknown) => console.info("no offline copy:", error));
}
