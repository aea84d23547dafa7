import { useEffect } from "react";
import { LineChartOutlined, PlayCircleOutlined, TeamOutlined } from "@ant-design/icons";
import { Button, Card } from "antd";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api } from "../api/client";
import { Logo } from "../app/Logo";
import { useTexts } from "../i18n/language";
import { homeTexts } from "./texts";

export default function LandingPage() {
  const t = useTexts(homeTexts);
  const [, navigate] = useLocation();
  const signUp = useQuery({ queryKey: ["signup"], queryFn: () => api.get<"showSignUp">("/signup"), staleTime: 60_000 });
  useEffect(() => {
    document.title = "Trainyard";
  }, []);
  const points = [
    { icon: <PlayCircleOutlined />, title: t.points.submit, text: t.points.submitText },
    { icon: <LineChartOutlined />, title: t.points.watch, text: t.points.watchText },
    { icon: <TeamOutlined />, title: t.points.share, text: t.points.shareText },
  ];
  return (
    <div className="landing">
      <Logo size={56} />
      <h1>{t.slogan}</h1>
      <p>{t.about}</p>
      <div className="landing-actions">
        <Button type="primary" size="large" onClick={() => navigate("/signin")}>
          {t.login}
        </Button>
        {signUp.data && signUp.data.mode !== "closed" && (
          <Button size="large" onClick={() => navigate("/signup")}>
            {t.signUp}
          </Button>
        )}
        <Link href="/help" className="landing-help">
          {t.help}
        </Link>
      </div>
      <div className="landing-points">
        {points.map((point) => (
          <Card key={point.title} size="small" title={<>{point.icon} {point.title}</>}>
            {point.text}
          </Card>
        ))}
      </div>
    </div>
  );
}
