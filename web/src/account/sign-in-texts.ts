import { texts } from "../i18n/texts";

export const signInTexts = texts(
  {
    title: "Sign in",
    user: "User name",
    password: "Password",
    submit: "Sign in",
    needUser: "Enter your user name",
    needPassword: "Enter your password",
    or: "or",
    oidc: "Sign in with your organization",
    newHere: "New here?",
    signUp: "Sign up",
    forgot: "Forgot your password? Ask an administrator to reset it.",
  },
  {
    title: "登录",
    user: "用户名",
    password: "密码",
    submit: "登录",
    needUser: "请输入用户名",
    needPassword: "请输入密码",
    or: "或",
    oidc: "使用单位账号登录",
    newHere: "还没有账号？",
    signUp: "注册",
    forgot: "忘记密码？请联系管理员重置。",
  },
);
