import { Link } from "@tanstack/react-router";

export function ViewAll({
  to,
  isTable = false,
}: {
  readonly to: "/profiles" | "/alerts";
  readonly isTable?: boolean;
}) {
  return (
    <Link
      to={to}
      {...(isTable && { search: { view: "profiles" as const } })}
      className="text-accent-text text-label hover:underline"
    >
      View All
    </Link>
  );
}
