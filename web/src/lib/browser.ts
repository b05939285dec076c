/** What a connection needs of the browser. */
import type { Socket, World } from "./mending";

/** Sockets to `path` of this server, timers, clock and chance. */
export function worldOf(path: string): World {
  return {
    connect: () => {
      const { protocol, host } = location;
      return new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}${path}`) as unknown as Socket;
    },
    later: (ms, what) => {
      const timer = setTimeout(what, ms);
      return () => clearTimeout(timer);
    },
    now: () => Date.now(),
    random: () => Math.random(),
  };
}

/** Tells a connection when the network comes and goes, and when the page is looked at again; gives what ends that. */
export function whileAwake(connection: { wake(): void; sleep(): void }): () => void {
  const wake = () => connection.wake();
  const sleep = () => connection.sleep();
  const look = () => document.hidden || wake();
  addEventListener("online", wake);
  addEventListener("offline", sleep);
  document.addEventListener("visibilitychange", look);
  return () => {
    removeEventListener("online", wake);
    removeEventListener("offline", sleep);
    document.removeEventListener("visibilitychange", look);
  };
}
