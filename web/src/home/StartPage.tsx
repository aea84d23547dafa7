import { lazy } from "react";
import { useSession } from "../app/session";
import LandingPage from "./LandingPage";
import "./home.css";

const HomePage = lazy(() => import("./HomePage"));

/** The page at `/`: the home page for signed-in users, the landing page for visitors. */
export default function StartPage() {
  return useSession().me ? <HomePage /> : <LandingPage />;
}
