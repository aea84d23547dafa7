/** API responses about images; docs/api.md describes every field. */
export type ImageState = "PROPOSED" | "APPROVED" | "REFUSED";

export interface CatalogImage {
  readonly name: string;
  readonly reference: string;
  readonly description: string;
  readonly framework: string;
  readonly tags: readonly string[];
  readonly state: ImageState;
  readonly proposedBy: string;
  readonly note: string;
  readonly approvedId: string | null;
  readonly presentId: string | null;
  readonly changed: boolean;
}

export interface NodeImage {
  readonly reference: string;
  readonly id: string;
  readonly size: number;
  readonly created: number;
  readonly architecture: string;
  readonly inUse: boolean;
  readonly origin: "FOUND" | "PULLED" | "MADE";
  readonly restricted: boolean;
  readonly lastUsed: number | null;
}

export interface Registry {
  readonly host: string;
  readonly plainHttp: boolean;
  readonly description: string;
  readonly groups: readonly string[];
}

export interface RegistryLogin {
  readonly id: string;
  readonly registry: string;
  readonly group: string | null;
  readonly username: string;
  readonly created: number;
}
