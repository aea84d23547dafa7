import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { BugOutlined, DownloadOutlined, VerticalAlignBottomOutlined, VerticalAlignTopOutlined } from "@ant-design/icons";
import { Alert, App, Button, Dropdown, Empty } from "antd";
import { ErrorAlert } from "../../api/ErrorAlert";
import { ApiError, isTransient } from "../../api/error";
import { useTexts } from "../../i18n/language";
import { firstErrorHere } from "./first-error";
import { LineDrawer } from "./LineDrawer";
import type { LogLinesHandle } from "./LogLines";
import { downloadAddress, fileName, linkTo, type LogAddress } from "./log-address";
import { LogToolbar } from "./LogToolbar";
import { MergedLog } from "./merged-log";
import { SearchBox } from "./SearchBox";
import { logTexts } from "./log-texts";
import { useLogPolling } from "./use-log";
import { searchHere } from "./use-search";
import { useWrap } from "./use-wrap";

interface Props {
  readonly streams: readonly { readonly address: LogAddress; readonly label: string }[];
  readonly growing: boolean;
  readonly choice: ReactNode;
  readonly search: string;
  readonly setSearch: (text: string) => void;
}

/** Shows several streams as one log. */
export function MergedLogView({ streams, growing, choice, search, setSearch }: Props) {
  const t = useTexts(logTexts);
  const log = useMemo(() => new MergedLog(streams), [streams]);
  useEffect(() => () => log.close(), [log]);
  const version = useSyncExternalStore(log.onChange, log.version);
  const failure = useLogPolling(log, growing);
  const [following, setFollowing] = useState(true);
  const [marked, setMarked] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const { Lines, button: wrap } = useWrap();
  const { message } = App.useApp();
  const lines = useRef<LogLinesHandle>(null);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the log is mutable; its version changes with its lines
  const found = useMemo(() => searchHere(log, search), [log, search, version]);
  const goTo = (line: number) => {
    setMarked(line);
    lines.current?.goTo(line);
  };
  const jump = () => {
    const line = firstErrorHere(log);
    if (line === null) {
      void message.info(t.noError);
    } else {
      goTo(line);
    }
  };
  const cut = log.shortened || log.dropped > 0;
  const hint = [log.printed() > 1 && t.mergedHint, cut && t.shortened].filter(Boolean).join(" ");
  const opening = opened === null ? undefined : log.line(opened);
  const refused = failure instanceof ApiError && !isTransient(failure);
  return (
    <>
      <LogToolbar>
        {choice}
        <SearchBox text={search} setText={setSearch} found={found} goTo={goTo} />
        <Button icon={<BugOutlined />} title={t.firstErrorHint} onClick={jump}>
          {t.firstError}
        </Button>
        <Button icon={<VerticalAlignTopOutlined />} aria-label={t.start} title={t.start} onClick={() => lines.current?.goTo(0)} />
        <Button
          icon={<VerticalAlignBottomOutlined />}
          type={following ? "primary" : "default"}
          aria-pressed={following}
          title={t.followHint}
          onClick={() => setFollowing(!following)}
        >
          {growing ? t.follow : t.end}
        </Button>
        {wrap}
        <Downloads streams={streams} />
        <span className="log-count">{t.lines(log.count())}</span>
      </LogToolbar>
      {refused && <ErrorAlert error={failure} />}
      {hint && <Alert type="info" banner showIcon message={hint} closable={{ "aria-label": t.close }} />}
      {log.count() === 0 ? (
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
        <LineDrawer key={opened} number={opened} line={opening} whole={null} link={opening?.address ? linkTo(opening.address, opening.offset) : null} close={() => setOpened(null)} />
      )}
    </>
  );
}

/** A menu with the complete log of each stream. */
function Downloads({ streams }: Pick<Props, "streams">) {
  const t = useTexts(logTexts);
  const items = streams.map(({ address, label }) => ({
    key: label,
    label: (
      <a href={downloadAddress(address)} download={fileName(address)}>
        {label}
      </a>
    ),
  }));
  return (
    <Dropdown trigger={["click"]} menu={{ items }}>
      <Button icon={<DownloadOutlined />}>{t.download}</Button>
    </Dropdown>
  );
}
