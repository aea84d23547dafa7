import { createContext, use } from "react";
import type { Problem } from "../../api/error";
import type { JobDocument } from "../document/job-document";
import type { Path } from "../document/path";
import type { Root, Shape } from "../document/shape";

/** State that all fields of the form share. */
export interface FormState {
  readonly root: Root;
  readonly shape: Shape;
  readonly change: (change: (document: JobDocument) => void, at?: Path) => void;
  /** Returns the problems to show at a field; each problem is shown at one field. */
  readonly problemsAt: (path: Path) => readonly Problem[];
  readonly openEditor: () => void;
}

export const FormContext = createContext<FormState | null>(null);

export function useJobForm(): FormState {
  const state = use(FormContext);
  if (!state) {
    throw new Error("no form around");
  }
  return state;
}
