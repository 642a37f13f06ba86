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
      className="inline-flex items-center text-accent-text text-label hover:underline max-md:-my-3 max-md:min-h-10"
    >
      View All
    </Link>
  );
}
