import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { applyPrefs } from "$lib/prefs.svelte";
import { loadPage } from "$lib/pages";
import { route } from "$lib/router.svelte";
import { firstLanguage, setLanguage, useTexts } from "$lib/texts.svelte";
import { keepShell } from "$lib/worker";

applyPrefs();
const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
const texts = [useTexts("common", "web", "names"), setLanguage(firstLanguage())];
loadPage(route().page).catch(() => undefined); // on its way meanwhile; what is wrong with it, the frame will tell
try {
  await Promise.all(texts);
  target.replaceChildren();
  mount(App, { target });
  keepShell();
} catch (error) {
  console.error(error);
  tryAgain(target);
}

/** Without its texts the page speaks none of its languages: what stands in index.html is said in all of them at once. */
function tryAgain(page: HTMLElement): void {
  const again = document.createElement("button");
  again.textContent = "再试一次 · 再試一次 · Try again";
  again.onclick = () => location.reload();
  page.querySelector(".stuck")?.append(document.createElement("br"), again);
  page.querySelector(".stuck")?.classList.add("now");
  addEventListener("online", () => location.reload());
}
