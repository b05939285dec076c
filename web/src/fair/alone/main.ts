import "../../app.css";
import { mount } from "svelte";
import { lang, setLanguage } from "$lib/texts.svelte";
import Alone from "./Alone.svelte";

setLanguage(lang());
mount(Alone, { target: document.body });
