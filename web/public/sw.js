// Keeps the shell of the page, so that it opens without the server. Never touches /api or /ws: what is live is not kept.
// The build fills in the version and the files.
const CACHE = `bobing-${"__VERSION__"}`;
const SHELL = "__SHELL__";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOld().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || /^\/(api|ws)(\/|$)/.test(url.pathname)) return;
  if (event.request.mode === "navigate") event.respondWith(page(event.request));
  else if (SHELL.includes(url.pathname)) event.respondWith(kept(event.request));
});

/** The server's page while it answers, else the kept one: a new version is seen at once. */
async function page(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) return answer;
  } catch {
    // not reachable
  }
  return (await caches.match("/", { cacheName: CACHE })) ?? Response.error();
}

/** Kept files have their content in their name, or belong to this version. */
async function kept(request) {
  return (await caches.match(request, { cacheName: CACHE, ignoreVary: true })) ?? fetch(request);
}

async function dropOld() {
  const names = await caches.keys();
  // The version before stays: tabs that still show it may ask for parts of it.
  const ours = names.filter((name) => name.startsWith("bobing-") && name !== CACHE);
  await Promise.all(ours.slice(0, -1).map((name) => caches.delete(name)));
}
