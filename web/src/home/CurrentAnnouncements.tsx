import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { Announcements } from "./Announcements";
import "./home.css";

/** The current announcements on the page that users see after they have signed in. */
export default function CurrentAnnouncements() {
  const { data } = useQuery({
    queryKey: ["announcements", "current"],
    queryFn: () => api.get<"listAnnouncements">("/announcements"),
    staleTime: 60_000,
  });
  return <Announcements announcements={data?.announcements ?? []} />;
}
