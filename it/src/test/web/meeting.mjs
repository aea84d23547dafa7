/** Lets the languages of a flow wait for each other before a step that changes the server for all of them. */
export class Meeting {
  constructor(languages) {
    this.present = new Set(languages);
    this.waiting = new Map();
  }

  /** Waits for the other languages, runs one of their actions with the values of all, and returns its result to each. */
  arrive(language, action, value) {
    return new Promise((resolve, reject) => {
      this.waiting.set(language, { action, value, resolve, reject });
      this.begin();
    });
  }

  /** A language that has finished or failed is not waited for. */
  leave(language) {
    this.present.delete(language);
    this.begin();
  }

  begin() {
    if (this.waiting.size === 0 || this.waiting.size < this.present.size) return;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    (async () => all[0].action(all.map(({ value }) => value)))().then(
      (result) => all.forEach(({ resolve }) => resolve(result)),
      (error) => all.forEach(({ reject }) => reject(error)),
    );
  }
}
