import { Button } from "antd";
import { useLocation } from "wouter";
import { api, path } from "../api/client";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { ConfirmButton } from "../components/ConfirmButton";
import { useChange } from "../components/use-change";
import { imageTexts } from "./texts";
import type { CatalogImage } from "./types";

export function CatalogActions(props: { image: CatalogImage }) {
  const t = useTexts(imageTexts);
  const { admin, user } = useMe();
  const { name, state, proposedBy, changed } = props.image;
  const [, setEdited] = useSearchParam("edit");
  const [, setJudged] = useSearchParam("judge");
  const remove = useChange(() => api.delete(path`/images/${name}`), { about: ["images"], successText: t.removed });
  const mine = proposedBy === user && state !== "APPROVED";
  return (
    <span className="row-actions">
      {state === "APPROVED" && <UseButton image={name} />}
      {admin && state !== "APPROVED" && (
        <Button size="small" type="primary" onClick={() => setJudged(`approve ${name}`)}>
          {t.approve}
        </Button>
      )}
      {admin && changed && (
        <Button size="small" onClick={() => setJudged(`approve ${name}`)}>
          {t.approveAgain}
        </Button>
      )}
      {admin && state === "PROPOSED" && (
        <Button size="small" onClick={() => setJudged(`refuse ${name}`)}>
          {t.reject}
        </Button>
      )}
      {(admin || mine) && (
        <Button size="small" onClick={() => setEdited(name)}>
          {t.edit}
        </Button>
      )}
      {(admin || mine) && (
        <ConfirmButton
          danger
          question={t.removeQuestion(name)}
          loss={state === "APPROVED" ? t.removeLoss : undefined}
          confirmText={t.remove}
          onConfirm={() => remove.mutateAsync()}
        >
          {t.remove}
        </ConfirmButton>
      )}
    </span>
  );
}

/** Links to the submit form with this image. A real link, so that users can open it in another tab. */
export function UseButton(props: { image: string }) {
  const t = useTexts(imageTexts);
  const [, navigate] = useLocation();
  const to = `/submit?image=${encodeURIComponent(props.image)}`;
  return (
    <Button
      size="small"
      href={to}
      onClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
          event.preventDefault();
          navigate(to);
        }
      }}
    >
      {t.use}
    </Button>
  );
}
