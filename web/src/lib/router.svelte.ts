/** Which page is shown. Links of the page itself (`<a href="/learn">`) need nothing; `go` is for all else. */
import { pathOf, routeOf, type Route } from "./routes";

let present = $state.raw<Route>(routeOf(location.pathname));

export function route(): Route {
  return present;
}

/** Goes to a route or an address; `replace` leaves no step to go back to. */
export function go(to: Route | string, { replace = false } = {}): void {
  const path = typeof to === "string" ? to : pathOf(to);
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  present = routeOf(location.pathname);
}

/** Takes over clicks on links within the page, and the back and forward keys. */
export function startRouter(): () => void {
  const onPop = () => (present = routeOf(location.pathname));
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.rel === "external" || link.pathname.startsWith("/api/")) return; // the server's, not a page
    const samePage = link.pathname === location.pathname && link.search === location.search;
    if (samePage && link.hash) return; // the browser scrolls to it
    event.preventDefault();
    if (!samePage) go(link.pathname + link.search + link.hash);
    else scrollTo({ top: 0 });
  };
  addEventListener("popstate", onPop);
  document.addEventListener("click", onClick);
  return () => {
    removeEventListener("popstate", onPop);
    document.removeEventListener("click", onClick);
  };
}
