import { createRoot } from "react-dom/client";
import "./roots";
import { firstLanguage, prepare } from "../i18n/language";
import { App } from "./App";
import { preloadPage } from "./routes";
import "./page.css";
import "../parts/parts.css";

preloadPage(location.pathname);
const language = firstLanguage();
const locale = await prepare(language);
createRoot(document.getElementById("page")!).render(<App language={language} locale={locale} />);
