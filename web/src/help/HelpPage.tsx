import { Menu, Skeleton } from "antd";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useRoute } from "wouter";
import { PageHead } from "../app/PageHead";
import { useLanguage, useTexts } from "../i18n/language";
import { Markdown } from "./Markdown";
import { helpTexts } from "./texts";
import { isTopic, topics, type Topic } from "./topics";
import "./help.css";

export default function HelpPage() {
  const t = useTexts(helpTexts);
  const { language } = useLanguage();
  const [, match] = useRoute("/help/:topic");
  const [, navigate] = useLocation();
  const topic: Topic = isTopic(match?.topic) ? match.topic : "start";
  const page = useQuery({
    queryKey: ["help", topic, language],
    queryFn: async () => (await topics[topic][language]()).default,
    staleTime: Infinity,
  });
  const items = (Object.keys(topics) as Topic[]).map((key) => ({
    key,
    label: <a href={`/help/${key}`}>{t.topics[key]}</a>,
  }));
  return (
    <>
      <PageHead title={t.title} />
      <div className="help">
        <nav aria-label={t.contents}>
          <Menu
            mode="inline"
            selectedKeys={[topic]}
            items={[...items, { key: "api", label: <a href="/docs/api">{t.api}</a> }]}
            onClick={({ key, domEvent }) => {
              if (key !== "api" && !("ctrlKey" in domEvent && (domEvent.ctrlKey || domEvent.metaKey))) {
                domEvent.preventDefault();
                navigate(`/help/${key}`);
              }
            }}
          />
        </nav>
        <article className="help-prose">{page.data ? <Markdown text={page.data} /> : <Skeleton active />}</article>
      </div>
    </>
  );
}
