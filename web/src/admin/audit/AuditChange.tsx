import { useTexts } from "../../i18n/language";
import type { AuditRecord } from "../../api/description";
import { auditTexts } from "./texts";

/** Shows the values before and after a change side by side. If both exist, shows only the values that differ. */
export function AuditChange({ record }: { record: AuditRecord }) {
  const t = useTexts(auditTexts);
  const { before, after } = record;
  const both = Object.keys(before).length > 0 && Object.keys(after).length > 0;
  const same = (key: string) => both && JSON.stringify(before[key]) === JSON.stringify(after[key]);
  const write = (values: AuditRecord["before"]) => {
    const shown = Object.fromEntries(Object.entries(values).filter(([key]) => !same(key)));
    return Object.keys(shown).length === 0 ? t.nothing : JSON.stringify(shown, null, 2);
  };
  return (
    <div className="changes">
      <div>
        <strong>{t.before}</strong>
        <pre tabIndex={0}>{write(before)}</pre>
      </div>
      <div>
        <strong>{t.after}</strong>
        <pre tabIndex={0}>{write(after)}</pre>
      </div>
      {record.token && (
        <div className="quiet">
          {t.token} <code>{record.token}</code>
        </div>
      )}
    </div>
  );
}
