/** What happens in place of who is absent. */
import type { Settings } from "../protocol";

type Absent = NonNullable<Settings["absent"]>;

/** The same where these dice allow it: nobody but people throws real ones. */
export function absentWith(dice: Settings["dice"], absent: Absent): Absent {
  return dice === "real" && absent === "throw" ? "skip" : absent;
}
