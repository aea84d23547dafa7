import { Button } from "antd";
import { Link } from "wouter";
import { api, path } from "../../api/client";
import { useMe } from "../../app/session";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { useShowSecrets } from "../../components/use-show-secrets";
import { adminTexts } from "../texts";
import type { User } from "../types";
import { userTexts } from "./texts";

export function UserActions({ user: { name } }: { user: User }) {
  const t = useTexts(userTexts);
  const common = useTexts(adminTexts);
  const self = useMe().user === name;
  const [, setEdited] = useSearchParam("edit");
  const show = useShowSecrets();
  const reset = useChange(() => api.put<"changePassword">(path`/users/${name}/password`, {}), {
    about: ["users"],
    then: (answer) => show(t.resetDone(name), [{ name, value: answer!.password }]),
  });
  const remove = useChange(() => api.delete(path`/users/${name}`), { about: ["users"], successText: common.removed });
  return (
    <span className="row-actions">
      <Button size="small" onClick={() => setEdited(name)}>
        {common.edit}
      </Button>
      <Link href={`/admin/tokens?user=${encodeURIComponent(name)}`} asChild>
        <Button size="small">{t.tokens}</Button>
      </Link>
      {!self && (
        <ConfirmButton question={t.resetQuestion(name)} loss={t.resetLoss} confirmText={t.reset} onConfirm={() => reset.mutateAsync()}>
          {t.reset}
        </ConfirmButton>
      )}
      {!self && (
        <ConfirmButton danger question={t.removeQuestion(name)} loss={t.removeLoss} confirmText={common.remove} onConfirm={() => remove.mutateAsync()}>
          {common.remove}
        </ConfirmButton>
      )}
    </span>
  );
}
