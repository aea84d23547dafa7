import { lazy } from "react";
import { useSession } from "../app/session";
import LandingPage from "./LandingPage";
import "./home.css";

const HomePage = lazy(() => import("./HomePage"));

/** What stands at `/`: home for whoever is signed in, a welcome for everybody else. */
export default function StartPage() {
  return useSession().me ? <HomePage /> : <LandingPage />;
}
