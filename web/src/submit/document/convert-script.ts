import { isMap, valueAt } from "./path";
import { textAt, type Root, type Shape } from "./shape";

/** A name as the second format allows it that no other has. */
export function wordOf(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, "_");
  const word = /^\d|^$/.test(plain) ? `_${plain}` : plain;
  let free = word;
  for (let i = 2; taken.has(free); i++) {
    free = `${word}_${i}`;
  }
  taken.add(free);
  return free;
}

/** The second format has no variables and directories of its own: the script sets them. */
export function variablesOf(root: Root, from: Shape): string {
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

const VARIABLE = /\$(?:\{(PAI_JOB_NAME|PAI_USER_NAME|PAI_DEFAULT_FS_URI)\}|(PAI_JOB_NAME|PAI_USER_NAME|PAI_DEFAULT_FS_URI))/g;
const USER = "\u0001";

/** Within double quotes of a shell; only the user's name is left to be filled in there. */
function quoted(folder: string, job: string): string {
  return folder
    .replace(VARIABLE, (_, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare;
      return name === "PAI_JOB_NAME" ? job : name === "PAI_USER_NAME" ? USER : "";
    })
    .replace(/[\\"$`]/g, "\\$&")
    .replaceAll(USER, "${PAI_USER_NAME}");
}
