import { isMap, valueAt } from "./path";
import { textAt, type Root, type Shape } from "./shape";

/** Returns a unique name with only the characters that v2 allows. */
export function uniqueV2Name(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, "_");
  const valid = /^\d|^$/.test(plain) ? `_${plain}` : plain;
  let free = valid;
  for (let i = 2; taken.has(free); i++) {
    free = `${valid}_${i}`;
  }
  taken.add(free);
  return free;
}

/** Returns shell lines that set the variables and directories of v1, because v2 has no fields for them. */
export function exportLines(root: Root, from: Shape): string {
  const lines: string[] = [];
  const environment = from.environment ? valueAt(root, from.environment) : null;
  if (isMap(environment)) {
    for (const [name, value] of Object.entries(environment)) {
      if (/^[A-Za-z_]\w*$/.test(name)) {
        lines.push(`export ${name}='${String(value).replaceAll("'", "'\\''")}'`);
      }
    }
  }
  if (from.directories) {
    const { data, output, code } = from.directories;
    const job = textAt(root, from.name);
    for (const [name, path] of [["PAI_DATA_DIR", data], ["PAI_OUTPUT_DIR", output], ["PAI_CODE_DIR", code]] as const) {
      const folder = textAt(root, path);
      if (folder !== "") {
        lines.push(`export ${name}="${quoted(folder, job)}"`);
        if (!folder.includes("://") && name !== "PAI_CODE_DIR") {
          lines.push(`mkdir -p "$${name}"`);
        }
      }
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the output directory of v1 as the URI of a v2 output; null if v2 cannot express or save it. */
export function outputUri(root: Root, from: Shape): string | null {
  const folder = from.directories ? textAt(root, from.directories.output) : "";
  const job = textAt(root, from.name);
  const uri = folder.replace(VARIABLE, (_, braced: string | undefined, bare: string | undefined) => {
    const name = braced ?? bare;
    return name === "PAI_JOB_NAME" ? job : name === "PAI_USER_NAME" ? USER : "";
  });
  const expressible = uri.startsWith("/") && !/[$`]|<%|\/\.\.(\/|$)/.test(uri);
  return expressible ? uri.replaceAll(USER, "$PAI_USER_NAME") : null;
}

const VARIABLE = /\$(?:\{(PAI_JOB_NAME|PAI_USER_NAME|PAI_DEFAULT_FS_URI)\}|(PAI_JOB_NAME|PAI_USER_NAME|PAI_DEFAULT_FS_URI))/g;
const USER = "\u0001";

/** Escapes a directory for double quotes in a shell; only the user name is left for the shell to expand. */
function quoted(folder: string, job: string): string {
  return folder
    .replace(VARIABLE, (_, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare;
      return name === "PAI_JOB_NAME" ? job : name === "PAI_USER_NAME" ? USER : "";
    })
    .replace(/[\\"$`]/g, "\\$&")
    .replaceAll(USER, "${PAI_USER_NAME}");
}
