import { Button } from "antd";
import { useLocation } from "wouter";
import { api, path } from "../api/client";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { useAddressValue } from "../components/use-search-param";
import { AskButton } from "../components/ConfirmButton";
import { useChange } from "../components/use-change";
import { imageTexts } from "./texts";
import type { CatalogueImage } from "./types";

export function CatalogueActions(props: { image: CatalogueImage }) {
  const t = useTexts(imageTexts);
  const { admin, user } = useMe();
  const { name, state, proposedBy, changed } = props.image;
  const [, setEdited] = useAddressValue("edit");
  const [, setJudged] = useAddressValue("judge");
  const remove = useChange(() => api.delete(path`/images/${name}`), { about: ["images"], said: t.removed });
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
          {t.refuse}
        </Button>
      )}
      {(admin || mine) && (
        <Button size="small" onClick={() => setEdited(name)}>
          {t.edit}
        </Button>
      )}
      {(admin || mine) && (
        <AskButton
          danger
          question={t.removeAsk(name)}
          loss={state === "APPROVED" ? t.removeLoss : undefined}
          yes={t.remove}
          act={() => remove.mutateAsync()}
        >
          {t.remove}
        </AskButton>
      )}
    </span>
  );
}

/** Leads to the form for a new job, with this image. A real link, so that it opens in another tab too. */
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
