import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { VerticalAlignBottomOutlined } from "@ant-design/icons";
import { Alert, Button, Empty } from "antd";
import { ErrorAlert } from "../../api/ErrorAlert";
import { ApiError, isTransient } from "../../api/error";
import { useTexts } from "../../i18n/language";
import { LineDrawer } from "./LineDrawer";
import { LogLines, type LogLinesHandle } from "./LogLines";
import type { LogAddress } from "./log-address";
import { LogToolbar } from "./LogToolbar";
import { MergedLog } from "./merged-log";
import { SearchBox } from "./SearchBox";
import { logTexts } from "./log-texts";
import { useLooking } from "./use-log";
import { searchHere } from "./use-search";

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
  const failure = useLooking(log, growing);
  const [following, setFollowing] = useState(true);
  const [marked, setMarked] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const lines = useRef<LogLinesHandle>(null);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the log is mutable; its version changes with its lines
  const found = useMemo(() => searchHere(log, search), [log, search, version]);
  const goTo = (line: number) => {
    setMarked(line);
    lines.current?.goTo(line);
  };
  const refused = failure instanceof ApiError && !isTransient(failure);
  return (
    <>
      <LogToolbar>
        {choice}
        <SearchBox text={search} setText={setSearch} found={found} goTo={goTo} />
        <Button
          icon={<VerticalAlignBottomOutlined />}
          type={following ? "primary" : "default"}
          aria-pressed={following}
          title={t.followHint}
          onClick={() => setFollowing(!following)}
        >
          {growing ? t.follow : t.end}
        </Button>
        <span className="log-count">{t.lines(log.count())}</span>
      </LogToolbar>
      {refused && <ErrorAlert error={failure} />}
      <Alert type="info" banner showIcon message={log.shortened || log.dropped > 0 ? `${t.mergedHint} ${t.shortened}` : t.mergedHint} closable />
      {log.count() === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={growing ? t.empty : t.emptyOver} />
      ) : (
        <LogLines
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
        <LineDrawer key={opened} number={opened} line={log.line(opened)} whole={null} link={null} close={() => setOpened(null)} />
      )}
    </>
  );
}
