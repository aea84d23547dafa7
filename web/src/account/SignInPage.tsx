import { useEffect } from "react";
import { Button, Card, Divider, Form, Input } from "antd";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, Redirect } from "wouter";
import { api } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { Logo } from "../app/Logo";
import { useSearchParams } from "../app/search-params";
import { useSession } from "../app/session";
import { useTexts } from "../i18n/language";
import { signInTexts } from "./sign-in-texts";
import { returnPath } from "./return-path";
import "./sign-in.css";

interface Credentials {
  readonly user: string;
  readonly password: string;
}

export default function SignInPage() {
  const t = useTexts(signInTexts);
  const { me, signedIn } = useSession();
  const [search] = useSearchParams();
  const to = returnPath(search.get("to"));
  const signIn = useMutation({
    mutationFn: async (given: Credentials) => {
      await api.post<"signIn">("/sessions", given);
      await signedIn();
    },
  });
  useEffect(() => {
    document.title = `${t.title} · Trainyard`;
  }, [t]);
  if (me) {
    return <Redirect to={to} replace />;
  }
  return (
    <Card className="sign-in">
      <div className="sign-in-head">
        <Logo size={40} />
        <h1>{t.title}</h1>
      </div>
      {signIn.error && <ErrorAlert error={signIn.error} />}
      <Form<Credentials> layout="vertical" requiredMark={false} onFinish={(given) => signIn.mutate(given)} disabled={signIn.isPending}>
        <Form.Item name="user" label={t.user} rules={[{ required: true, message: t.needUser }]}>
          <Input autoComplete="username" autoFocus autoCapitalize="none" spellCheck={false} size="large" />
        </Form.Item>
        <Form.Item name="password" label={t.password} rules={[{ required: true, message: t.needPassword }]}>
          <Input.Password autoComplete="current-password" size="large" />
        </Form.Item>
        <Button type="primary" htmlType="submit" block size="large" loading={signIn.isPending}>
          {t.submit}
        </Button>
      </Form>
      <OtherSignInMethods to={to} />
    </Card>
  );
}

/** The other sign-in methods that this server offers. */
function OtherSignInMethods(props: { to: string }) {
  const t = useTexts(signInTexts);
  const oidc = useQuery({
    queryKey: ["oidc"],
    queryFn: () => api.get<"showOidc">("/oidc"),
    staleTime: Infinity,
  });
  const signUp = useQuery({
    queryKey: ["signup"],
    queryFn: () => api.get<"showSignUp">("/signup"),
    staleTime: Infinity,
  });
  return (
    <>
      {oidc.data?.enabled && (
        <>
          <Divider plain>{t.or}</Divider>
          <Button block size="large" href={`/api/v3/oidc/login?to=${encodeURIComponent(props.to)}`}>
            {t.oidc}
          </Button>
        </>
      )}
      <p className="sign-in-foot">
        {t.forgot}
        {signUp.data && signUp.data.mode !== "closed" && (
          <>
            <br />
            {t.newHere} <Link href="/signup">{t.signUp}</Link>
          </>
        )}
      </p>
    </>
  );
}
