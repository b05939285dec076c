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
await Promise.all(texts);
target.replaceChildren();
mount(App, { target });
keepShell();
