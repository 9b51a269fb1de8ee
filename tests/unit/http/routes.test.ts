import { pathOf, Routes } from "@nectar/http/routes";
import { describe, expect, it } from "vitest";

describe("the path of a URL", () => {
  it.each([
    ["https://nectar.test/api/journal", "/api/journal"],
    ["http://a:3000/api/journal?q=/x#y", "/api/journal"],
    ["http://a/health#here?not", "/health"],
    ["http://a/", "/"],
    ["http://a/api/%74eams/caf%C3%A9", "/api/teams/café"],
    ["http://a/one%2Ftwo", "/one%2Ftwo"],
    ["http://a/%E0%A4%A", "/%E0%A4%A"],
  ])("%s is %s", (url, path) => {
    expect(pathOf(url)).toBe(path);
  });
});

describe("routes", () => {
  const routes = new Routes<string>();
  routes.add("GET", "/goals/mine", "mine");
  routes.add("GET", "/goals/:id", "one");
  routes.add("PUT", "/goals/:id/check-ins/:date", "check-in");

  it("find the first that matches, with the parameters of the path", () => {
    expect(routes.find("GET", "/goals/mine")).toEqual({ target: "mine", params: {} });
    expect(routes.find("GET", "/goals/7")).toEqual({ target: "one", params: { id: "7" } });
    expect(routes.find("PUT", "/goals/a%2Fb/check-ins/2026-11-22")).toEqual({
      target: "check-in",
      params: { id: "a/b", date: "2026-11-22" },
    });
  });

  it("find nothing for another method or path", () => {
    expect(routes.find("PATCH", "/goals/7")).toBeUndefined();
    expect(routes.find("GET", "/goals/7/")).toBeUndefined();
    expect(routes.find("GET", "/goals")).toBeUndefined();
    expect(new Routes().find("GET", "/")).toBeUndefined();
  });
});
