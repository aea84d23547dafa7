import { useState } from "react";
import { Button, Card, Checkbox, Skeleton, Space } from "antd";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { address, api } from "../../api/client";
import { ErrorAlert } from "../../api/ErrorAlert";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { settingsTexts } from "./texts";

/** Maintenance of the server: cleanup, images, backup, encryption keys. */
export function Maintenance() {
  return (
    <Space direction="vertical" style={{ width: "100%" }}>
      <Cleanup />
      <Images />
      <Backup />
      <Rotation />
    </Space>
  );
}

function Cleanup() {
  const t = useTexts(settingsTexts);
  const formats = useFormats();
  const query = useQuery({
    queryKey: ["cleanup"],
    queryFn: () => api.get<"previewCleanup">("/cleanup"),
    staleTime: 0,
  });
  const clean = useChange(() => api.post<"cleanUp">("/cleanup"), { about: ["cleanup", "jobs", "status"], successText: t.cleanupDone });
  const found = query.data;
  const nothing = found && found.jobs === 0 && found.logs === 0;
  const amountText = found && (nothing ? t.cleanupNothing : t.cleanupWhat(found.jobs, found.logs, formats.bytes(found.bytes)));
  return (
    <Card size="small" title={t.cleanup}>
      <p className="quiet">{t.cleanupHint}</p>
      {query.error && <ErrorAlert error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton active paragraph={false} />}
      {found && (
        <Space>
          {amountText}
          {!nothing && (
            <ConfirmButton danger question={t.cleanupQuestion} loss={amountText} confirmText={t.cleanupNow} onConfirm={() => clean.mutateAsync()}>
              {t.cleanupNow}
            </ConfirmButton>
          )}
        </Space>
      )}
    </Card>
  );
}

function Images() {
  const t = useTexts(settingsTexts);
  return (
    <Card size="small" title={t.images}>
      <p className="quiet">{t.imagesHint}</p>
      <Space>
        <Link href="/images?tab=machine" asChild>
          <Button size="small">{t.toImages}</Button>
        </Link>
        <Link href="/images?tab=registries" asChild>
          <Button size="small">{t.toRegistries}</Button>
        </Link>
      </Space>
    </Card>
  );
}

function Backup() {
  const t = useTexts(settingsTexts);
  const [logs, setLogs] = useState(false);
  const [homes, setHomes] = useState(false);
  return (
    <Card size="small" title={t.backup}>
      <p className="quiet">{t.backupHint}</p>
      <Space wrap>
        <Checkbox checked={logs} onChange={(event) => setLogs(event.target.checked)}>
          {t.withLogs}
        </Checkbox>
        <Checkbox checked={homes} onChange={(event) => setHomes(event.target.checked)}>
          {t.withHomes}
        </Checkbox>
        <Button size="small" href={address("/backup", { logs, homes })} download>
          {t.download}
        </Button>
      </Space>
    </Card>
  );
}

function Rotation() {
  const t = useTexts(settingsTexts);
  const rotate = useChange(() => api.post<"rotateSecretKey">("/secrets/rotate"), { about: [], successText: t.rotated });
  return (
    <Card size="small" title={t.rotate}>
      <p className="quiet">{t.rotateHint}</p>
      <ConfirmButton question={t.rotateQuestion} loss={t.rotateLoss} confirmText={t.rotateNow} onConfirm={() => rotate.mutateAsync()}>
        {t.rotateNow}
      </ConfirmButton>
    </Card>
  );
}
