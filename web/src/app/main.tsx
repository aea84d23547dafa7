// Imported first so that our own styles come after those of the library.
import "frame-styles";
import { createRoot } from "react-dom/client";
import "./antd-react19";
import { firstLanguage, prepare } from "../i18n/language";
import { App } from "./App";
import "./page.css";
import "../components/components.css";

const language = firstLanguage();
const locale = await prepare(language);
createRoot(document.getElementById("page")!).render(<App language={language} locale={locale} />);
