/**
 * Prints the results of the flows. With RESULTS=json each is also printed as a line of JSON after RESULT; the first such line is
 * the plan with all test cases, the last one says that the program has ended regularly.
 */
export class Results {
  failed = 0;

  /** @param cases the test cases with their files, and whether they are left out of this run */
  plan(cases) {
    this.line({ planned: cases });
  }

  passed(name, milliseconds) {
    console.log(`ok      ${name} (${milliseconds} ms)`);
    this.line({ name, outcome: "passed" });
  }

  /** @param shown what the page showed, and its screenshot; undefined if there was no page */
  fails(name, milliseconds, error, shown) {
    this.failed++;
    const message = error?.stack ?? String(error);
    console.log(`FAILED  ${name} (${milliseconds} ms): ${message}\n${shown?.text ?? ""}`);
    this.line({ name, outcome: "failed", message, screenshot: shown?.screenshot, page: shown?.text });
  }

  /** Reports a flow that did not run, because the host does not meet one of its requirements. */
  lacks(name, { what, word, required }) {
    if (required) this.failed++;
    console.log(`${required ? "FAILED " : "skipped"} ${name}: no ${what}`);
    this.line({ name, outcome: "lacks", requirement: word, message: `no ${what}` });
  }

  end() {
    console.log(this.failed === 0 ? "all went well" : `${this.failed} failed`);
    this.line({ ended: true });
  }

  line(value) {
    if (process.env.RESULTS === "json") console.log(`RESULT ${JSON.stringify(value)}`);
  }
}
