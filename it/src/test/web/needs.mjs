import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** What some flows need of the machine, and the word in TRAINYARD_REQUIRE with which it must not be missing. */
const kinds = {
  torch: {
    word: "torch",
    there: () => works("/usr/bin/python3", "-c", "from importlib.util import find_spec; exit(not (find_spec('torch') and find_spec('sklearn')))"),
  },
  registry: { word: "docker", there: () => existsSync("/usr/bin/docker-registry") },
  provider: { word: "node", there: ({ provider }) => provider !== null },
  restart: { word: "chromium", there: ({ yard }) => yard !== null },
};

function works(...command) {
  try {
    execFileSync(command[0], command.slice(1), { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** What of these is missing here, and whether it must not be; or null. */
export function missing(needs, place) {
  const what = (needs ?? []).find((need) => !kinds[need].there(place));
  const required = (process.env.TRAINYARD_REQUIRE ?? "").split(",");
  return what ? { what, required: required.includes(kinds[what].word) } : null;
}
