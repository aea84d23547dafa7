import type { CatalogueImage } from "../api/description";

export type { CatalogueImage as CatalogImage, LocalImage as NodeImage, Registry, RegistryLogin } from "../api/description";
export type ImageState = CatalogueImage["state"];
