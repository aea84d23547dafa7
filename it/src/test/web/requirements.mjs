import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Requirements that flows have on the host, each with the word in TRAINYARD_REQUIRE that makes the requirement mandatory. */
const kinds = {
  torch: {
    word: "torch",
    there: () => works("/usr/bin/python3", "-c", "from importlib.util import find_spec; exit(not (find_spec('torch') and find_spec('sklearn')))"),
  },
  registry: { word: "docker", there: () => existsSync("/usr/bin/docker-registry") },
  provider: { word: "node", there: ({ provider }) => provider !== null },
  restart: { word: "chromium", there: ({ testServer }) => testServer !== null },
};

function works(...command) {
  try {
    execFileSync(command[0], command.slice(1), { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the first requirement that this host does not meet, with its word in TRAINYARD_REQUIRE and whether it is mandatory; null
 * if the host meets all requirements.
 */
export function missing(needs, environment) {
  const what = (needs ?? []).find((need) => !kinds[need].there(environment));
  const required = (process.env.TRAINYARD_REQUIRE ?? "").split(",");
  return what ? { what, word: kinds[what].word, required: required.includes(kinds[what].word) } : null;
}
