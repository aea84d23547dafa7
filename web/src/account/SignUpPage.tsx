import { useEffect } from "react";
import { Alert, Button, Card, Result, Skeleton } from "antd";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, Redirect, useLocation } from "wouter";
import { api } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { Logo } from "../app/Logo";
import Contact from "../components/Contact";
import { useSession } from "../app/session";
import { useLanguage, useTexts } from "../i18n/language";
import { SignUpForm, type SignUpRequest } from "./SignUpForm";
import { signUpTexts } from "./sign-up-texts";
import "./sign-in.css";

export default function SignUpPage() {
  const t = useTexts(signUpTexts);
  const { language } = useLanguage();
  const { me, signedIn } = useSession();
  const [, navigate] = useLocation();
  const rules = useQuery({ queryKey: ["signup"], queryFn: () => api.get<"showSignUp">("/signup") });
  const signUp = useMutation({
    mutationFn: async ({ repeat: _, ...given }: SignUpRequest) => {
      const { state } = await api.post<"signUp">("/signup", { ...given, language });
      if (state === "active") {
        await api.post<"signIn">("/sessions", { user: given.name, password: given.password });
        await signedIn();
      }
      return state;
    },
  });
  useEffect(() => {
    document.title = `${t.title} · Trainyard`;
  }, [t]);
  if (me) {
    return <Redirect to="/jobs" replace />;
  }
  if (signUp.data === "pending") {
    const back = <Button onClick={() => navigate("/signin")}>{t.toSignIn}</Button>;
    return <Result status="success" title={t.pendingTitle} subTitle={t.pending} extra={back} />;
  }
  const word = rules.data?.text[language] || rules.data?.text.en || rules.data?.text.zh;
  return (
    <Card className="sign-in">
      <div className="sign-in-head">
        <Logo size={40} />
        <h1>{t.title}</h1>
      </div>
      {rules.isPending && <Skeleton active />}
      {rules.error && <ErrorAlert error={rules.error} />}
      {word && <Alert type="info" role="note" message={<span className="pre-line">{word}</span>} />}
      {rules.data?.mode === "closed" && <Alert type="warning" showIcon message={t.closed} />}
      {signUp.error && <ErrorAlert error={signUp.error} />}
      {rules.data && rules.data.mode !== "closed" && (
        <SignUpForm mode={rules.data.mode} busy={signUp.isPending} submit={(given) => signUp.mutate(given)} />
      )}
      <Contact />
      <p className="sign-in-foot">
        {t.known} <Link href="/signin">{t.signIn}</Link>
      </p>
    </Card>
  );
}
