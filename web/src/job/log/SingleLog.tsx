import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { BugOutlined, DownloadOutlined, VerticalAlignBottomOutlined, VerticalAlignTopOutlined } from "@ant-design/icons";
import { Alert, App, Button, Empty, Tooltip } from "antd";
import { ErrorAlert, useErrorText } from "../../api/ErrorAlert";
import { ApiError, isTransient } from "../../api/error";
import { useTexts } from "../../i18n/language";
import type { Diagnosis } from "../types";
import { IndexedLog } from "./indexed-log";
import { findOmission, firstError } from "./first-error";
import { downloadAddress, fileName, linkTo, type LogAddress } from "./log-address";
import { LineDrawer } from "./LineDrawer";
import type { LogLinesHandle } from "./LogLines";
import { LogToolbar } from "./LogToolbar";
import { SearchBox } from "./SearchBox";
import { logTexts } from "./log-texts";
import { useLogPolling } from "./use-log";
import { useServerSearch } from "./use-search";
import { useWrap } from "./use-wrap";

interface Props {
  readonly address: LogAddress;
  readonly growing: boolean;
  readonly diagnosis: Diagnosis | null;
  readonly choice: ReactNode;
  /** Byte offset to scroll to first. */
  readonly at: number | null;
  readonly search: string;
  readonly setSearch: (text: string) => void;
}

/** Shows one stream of one task. */
export function SingleLog({ address, growing, diagnosis, choice, at, search, setSearch }: Props) {
  const t = useTexts(logTexts);
  const errorText = useErrorText();
  const { message } = App.useApp();
  const log = useMemo(() => new IndexedLog(address), [address]);
  useEffect(() => () => log.close(), [log]);
  // Loaded parts affect only the lines; the surrounding elements need not be rendered again.
  useSyncExternalStore(log.onChange, () => `${log.count()} ${log.length} ${log.counted}`);
  const failure = useLogPolling(log, growing);
  const [following, setFollowing] = useState(at === null && growing);
  const [marked, setMarked] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const [omission, setOmission] = useState<number | null>(null);
  const lines = useRef<LogLinesHandle>(null);
  const { Lines, button: wrap } = useWrap();
  const found = useServerSearch(address, search, log.length);

  const goTo = async (offset: number) => {
    const line = await log.lineAt(offset);
    setMarked(line);
    lines.current?.goTo(line);
  };
  const arrived = useRef(false);
  useEffect(() => {
    if (log.counted && at !== null && !arrived.current) {
      arrived.current = true;
      void goTo(at);
    }
  });
  const { counted } = log;
  useEffect(() => {
    if (counted && !growing) {
      findOmission(address).then(setOmission, () => setOmission(null));
    }
  }, [counted, growing, address]);

  const jump = () =>
    firstError(address, diagnosis).then(
      (offset) => (offset === null ? void message.info(t.noError) : void goTo(offset)),
      (error: unknown) => void message.error(errorText(error)),
    );
  if (failure instanceof ApiError && !isTransient(failure)) {
    return (
      <>
        <LogToolbar>{choice}</LogToolbar>
        <ErrorAlert error={failure} />
      </>
    );
  }
  return (
    <>
      <LogToolbar>
        {choice}
        <SearchBox text={search} setText={setSearch} found={found} goTo={(place) => void goTo(place)} />
        <Tooltip title={t.firstErrorHint}>
          <Button icon={<BugOutlined />} onClick={() => void jump()}>
            {t.firstError}
          </Button>
        </Tooltip>
        <Button icon={<VerticalAlignTopOutlined />} aria-label={t.start} title={t.start} onClick={() => lines.current?.goTo(0)} />
        <Tooltip title={t.followHint}>
          <Button
            icon={<VerticalAlignBottomOutlined />}
            type={following ? "primary" : "default"}
            aria-pressed={following}
            onClick={() => setFollowing(!following)}
          >
            {growing ? t.follow : t.end}
          </Button>
        </Tooltip>
        {wrap}
        <Button icon={<DownloadOutlined />} href={downloadAddress(address)} download={fileName(address)}>
          {t.download}
        </Button>
        <span className="log-count">{counted ? t.lines(log.count()) : t.counting}</span>
      </LogToolbar>
      {omission !== null && (
        <Alert type="warning" showIcon banner message={t.omitted} action={<Button onClick={() => void goTo(omission)}>{t.goToGap}</Button>} />
      )}
      {counted && log.count() === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={growing ? t.empty : t.emptyFinished} />
      ) : (
        <Lines
          ref={lines}
          source={log}
          following={following}
          setFollowing={setFollowing}
          marked={marked}
          search={search}
          open={setOpened}
        />
      )}
      {opened !== null && (
        <LineDrawer
          key={opened}
          number={opened}
          line={log.line(opened)}
          whole={(number) => log.whole(number)}
          link={linkTo(address, log.line(opened)?.offset)}
          close={() => setOpened(null)}
        />
      )}
    </>
  );
}
