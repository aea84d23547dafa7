import { messageText } from "../api/messages";
import type { Language } from "../i18n/language";
import type { CatalogImage } from "./types";

/** Returns the entry with its description in the given language; descriptions that users entered are not translated. */
export function localized(image: CatalogImage, language: Language): CatalogImage {
  return { ...image, description: messageText({ code: image.descriptionCode ?? null, message: image.description }, language) };
}
