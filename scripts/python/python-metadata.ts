import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { ENGINE_VERSION } from "#core/engine/rules.ts";

const FOLDER = join(import.meta.dirname, "../../python");

type Project = {
  name: string;
  version: string;
  description: string;
  "requires-python": string;
  license: string;
  authors: { name: string }[];
  keywords: string[];
  classifiers: string[];
  "optional-dependencies": Record<string, string[]>;
  scripts: Record<string, string>;
};

/**
 * Returns the package's metadata from pyproject.toml. `text` is in PyPA's core metadata format.
 * Throws an Error if the package version differs from the engine version.
 */
export async function pythonMetadata(): Promise<{ text: string; entryPoints: string }> {
  const { parse } = await import("smol-toml");
  const toml = parse(await readFile(join(FOLDER, "pyproject.toml"), "utf8"));
  const project = toml.project as unknown as Project;
  if (project.version !== ENGINE_VERSION)
    throw new Error(
      `the Python package has version ${project.version}, the engine ${ENGINE_VERSION}`,
    );
  const readme = await readFile(join(FOLDER, "README.md"), "utf8");
  const scripts = Object.entries(project.scripts).map(([name, entry]) => `${name} = ${entry}`);
  return {
    text: `${fieldLines(project).join("\n")}\n\n${readme}`,
    entryPoints: `[console_scripts]\n${scripts.join("\n")}\n`,
  };
}

function fieldLines(project: Project): string[] {
  const extraGroups = Object.entries(project["optional-dependencies"]);
  return [
    "Metadata-Version: 2.4",
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    ...project.authors.map(({ name }) => `Author: ${name}`),
    `License-Expression: ${project.license}`,
    "License-File: LICENSE",
    `Keywords: ${project.keywords.join(",")}`,
    ...project.classifiers.map((classifier) => `Classifier: ${classifier}`),
    `Requires-Python: ${project["requires-python"]}`,
    "Description-Content-Type: text/markdown",
    ...extraGroups.flatMap(([extra, requirements]) => [
      `Provides-Extra: ${extra}`,
      ...requirements.map((requirement) => `Requires-Dist: ${requirement}; extra == "${extra}"`),
    ]),
  ];
}
