import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Projects by how long their files take: while the last, short ones are left, no worker waits for another. */
const ORDER = ["browser", "local", "deploy", "unit", "architecture", "database", "api"];

/** Runs the projects in this order, and the files of each as vitest would: the longest or largest first. */
export class ProjectsInOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
