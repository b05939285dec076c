import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { applyPrefs } from "$lib/prefs.svelte";
import { firstLanguage, setLanguage, useTexts } from "$lib/texts.svelte";
import { keepShell } from "$lib/worker";

applyPrefs();
const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
await Promise.all([useTexts("common", "web", "names"), setLanguage(firstLanguage())]);
target.replaceChildren();
mount(App, { target });
keepShell();
