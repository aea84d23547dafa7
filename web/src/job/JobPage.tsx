import { useParams } from "wouter";
import { PageHead } from "../app/PageHead";

export default function JobPage() {
  const { name } = useParams<{ user: string; name: string }>();
  return <PageHead title={name} />;
}
